// Prints vectors for the tests of package ycsb, made by Java's own arithmetic and
// String.hashCode:
//
//	java Vectors.java > vectors.txt
public class Vectors {
    static long hash(long n) {
        long h = 0xCBF29CE484222325L;
        for (int i = 0; i < 64; i += 8) {
            h = (h ^ (n >>> i & 0xff)) * 1099511628211L;
        }
        return Math.abs(h);
    }

    static String value(String key, String field, int size) {
        StringBuilder text = new StringBuilder(key + ":" + field);
        while (text.length() < size) {
            text.append(":");
            int h = text.toString().hashCode();
            text.append(h);
        }
        return text.substring(0, size);
    }

    public static void main(String[] args) {
        long[] numbers = {
            0, 1, 2, 3, 9, 10, 255, 256, 999, 1000, 65535, 65536, 1000000, 16777215, 16777216, 2147483647L, 2147483648L,
            4294967295L, 4294967297L, 1099511627775L, 1099511627776L, 10000000000L, 1L << 56, Long.MAX_VALUE};
        for (long n : numbers) {
            System.out.println("key\t" + n + "\tuser" + hash(n));
        }
        int[] sizes = {0, 1, 5, 20, 31, 32, 33, 40, 100, 1000};
        String[] keys = {"user6284781860667377211", "user8517097267634966620", "user0000001", "k", ""};
        String[] fields = {"field0", "field9", "f10", ""};
        for (String key : keys) {
            for (String field : fields) {
                for (int size : sizes) {
                    System.out.println("value\t" + key + "\t" + field + "\t" + size + "\t" + value(key, field, size));
                }
            }
        }
    }
}
