import java.util.Arrays;

/** Prints what Arrays.fill of 32 KB takes: the least of 60 rounds of 20 000 calls. */
public class Fill {
    static final int ROUNDS = 60, CALLS = 20_000;
    static final byte[] BYTES = new byte[32768];
    static final long[] LONGS = new long[4096];

    static void bytes(byte v) {
        Arrays.fill(BYTES, v);
    }

    static void longs(long v) {
        Arrays.fill(LONGS, v);
    }

    public static void main(String[] args) {
        long bytes = Long.MAX_VALUE, longs = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                bytes((byte) i);
            }
            bytes = Math.min(bytes, System.nanoTime() - begin);
            begin = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                longs(i);
            }
            longs = Math.min(longs, System.nanoTime() - begin);
        }
        System.out.printf("bytes %d ns, longs %d ns%n", bytes / CALLS, longs / CALLS);
    }
}
