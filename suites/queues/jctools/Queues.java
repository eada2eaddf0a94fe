import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.SpscArrayQueue;

/**
 * One measurement of JCTools, done as the Go suite does it: references to items made
 * beforehand, the same two ways to wait, a checksum over each round.
 *
 *   java -cp jctools-core.jar:. Queues QUEUE HOW WAIT PRODUCERS CONSUMERS CAPACITY
 *
 * QUEUE is SPSC, MPSC or MPMC. HOW is poll (offer and poll), relaxed (relaxedOffer and
 * relaxedPoll), fill (fill and drain, 64 at a time), or ring-N (a round trip of a burst
 * of N by offer and poll). WAIT is spin (127 retries for the same element, then a
 * yield) or backoff (that of package queue). Prints the median of the rounds: "op/s X" or "ns/op X".
 */
public final class Queues {
  static final int MANY = 256, RETRIES = 128, BATCH = 64;
  static final long WARMUP_NS = 1_000_000_000L, ROUND_NS = 30_000_000L;
  static final int ROUNDS = 11;

  static final class Item {
    final long id;

    Item(long id) {
      this.id = id;
    }
  }

  static final Item[] ITEMS = new Item[MANY];

  static {
    for (int i = 0; i < MANY; i++) {
      ITEMS[i] = new Item(i);
    }
  }

  /** How all parties wait; it is set once, before they start. */
  static boolean backsOff;
  static int capacity;

  /** Waits after a try that failed, when n elements have been handed over in all. */
  abstract static class Patience {
    static Patience create() {
      return backsOff ? new Backoff(capacity) : new Retries();
    }

    abstract void fail(long n);
  }

  /** Many retries for the same element, then others may run. */
  static final class Retries extends Patience {
    private int fails;
    private long last;

    @Override
    void fail(long n) {
      if (n != last) {
        last = n;
        fails = 0;
      }
      if (++fails % RETRIES == 0) {
        Thread.yield();
      }
    }
  }

  /** queue/backoff.go in Java, with the same lengths. */
  static final class Backoff extends Patience {
    private final int few, many;
    private int length, emptyWaits;
    private long worked, before, last, x;

    Backoff(int capacity) {
      few = Math.min(128, Math.max(1, capacity / 8));
      many = Math.max(1, Math.min(512, capacity / 2));
    }

    @Override
    void fail(long n) {
      worked = Math.abs(n - last);
      last = n;
      adapt();
      if (emptyWaits < 256) {
        spin();
        if (emptyWaits >= 2) {
          Thread.yield();
        }
      } else {
        LockSupport.parkNanos(Math.min(1_000_000, 20_000L * (1 + (emptyWaits - 256) / 8)));
      }
    }

    private void adapt() {
      if (worked == 0) {
        if (++emptyWaits > 1) {
          length /= 2;
        }
      } else {
        emptyWaits = 0;
        if (worked < few && (worked > before || length < 256)) {
          length *= 2;
        } else if (worked < few || worked > many) {
          length /= 2;
        }
      }
      length = Math.max(32, Math.min(length, 4096));
      before = worked;
    }

    private void spin() {
      long y = x;
      for (int i = 0; i < length; i++) {
        y = y * 6364136223846793005L + 1442695040888963407L;
      }
      x = y;
    }
  }

  interface Producer {
    void give(MessagePassingQueue<Item> q, long n);
  }

  interface Consumer {
    long take(MessagePassingQueue<Item> q, long n); // the sum
  }

  static void offer(MessagePassingQueue<Item> q, long n) {
    Patience p = Patience.create();
    for (long i = 0; i < n; i++) {
      Item v = ITEMS[(int) (i % MANY)];
      while (!q.offer(v)) {
        p.fail(i);
      }
    }
  }

  static long poll(MessagePassingQueue<Item> q, long n) {
    Patience p = Patience.create();
    long sum = 0;
    for (long i = 0; i < n; i++) {
      Item v;
      while ((v = q.poll()) == null) {
        p.fail(i);
      }
      sum += v.id;
    }
    return sum;
  }

  static void relaxedOffer(MessagePassingQueue<Item> q, long n) {
    Patience p = Patience.create();
    for (long i = 0; i < n; i++) {
      Item v = ITEMS[(int) (i % MANY)];
      while (!q.relaxedOffer(v)) {
        p.fail(i);
      }
    }
  }

  static long relaxedPoll(MessagePassingQueue<Item> q, long n) {
    Patience p = Patience.create();
    long sum = 0;
    for (long i = 0; i < n; i++) {
      Item v;
      while ((v = q.relaxedPoll()) == null) {
        p.fail(i);
      }
      sum += v.id;
    }
    return sum;
  }

  static final class Source implements MessagePassingQueue.Supplier<Item> {
    long i;

    @Override
    public Item get() {
      return ITEMS[(int) (i++ % MANY)];
    }
  }

  static final class Sum implements MessagePassingQueue.Consumer<Item> {
    long sum;

    @Override
    public void accept(Item v) {
      sum += v.id;
    }
  }

  static void fill(MessagePassingQueue<Item> q, long n) {
    Patience p = Patience.create();
    Source source = new Source();
    while (source.i < n) {
      if (q.fill(source, (int) Math.min(BATCH, n - source.i)) == 0) {
        p.fail(source.i);
      }
    }
  }

  static long drain(MessagePassingQueue<Item> q, long n) {
    Patience p = Patience.create();
    Sum sum = new Sum();
    for (long left = n; left > 0; ) {
      int m = q.drain(sum, (int) Math.min(BATCH, left));
      if (m == 0) {
        p.fail(left);
      }
      left -= m;
    }
    return sum.sum;
  }

  static MessagePassingQueue<Item> create(String queue, int capacity) {
    switch (queue) {
      case "SPSC":
        return new SpscArrayQueue<>(capacity);
      case "MPSC":
        return new MpscArrayQueue<>(capacity);
      case "MPMC":
        return new MpmcArrayQueue<>(capacity);
      default:
        throw new IllegalArgumentException("no queue is called " + queue);
    }
  }

  static long sumOf(long n) {
    long rest = n % MANY;
    return n / MANY * (MANY * (MANY - 1L) / 2) + rest * (rest - 1) / 2;
  }

  static long share(long n, int parties, int i) {
    return n * (i + 1) / parties - n * i / parties;
  }

  /** Threads leave a barrier together; the time ends when the last one is through. */
  static long together(Runnable[] parties) throws InterruptedException {
    AtomicInteger missing = new AtomicInteger(parties.length);
    AtomicLong start = new AtomicLong();
    AtomicLong end = new AtomicLong();
    CountDownLatch through = new CountDownLatch(parties.length);
    for (Runnable party : parties) {
      new Thread(() -> {
        if (missing.decrementAndGet() == 0) {
          start.set(System.nanoTime());
        }
        while (missing.get() > 0) {
          Thread.yield();
        }
        party.run();
        end.accumulateAndGet(System.nanoTime(), Math::max);
        through.countDown();
      }).start();
    }
    through.await();
    return end.get() - start.get();
  }

  /** Hands over n elements and returns the nanoseconds. */
  static long round(String queue, int capacity, int producers, int consumers, Producer producer, Consumer consumer, long n)
      throws InterruptedException {
    MessagePassingQueue<Item> q = create(queue, capacity);
    Runnable[] parties = new Runnable[producers + consumers];
    AtomicLong out = new AtomicLong();
    long in = 0;
    for (int i = 0; i < producers; i++) {
      long share = share(n, producers, i);
      in += sumOf(share);
      parties[i] = () -> producer.give(q, share);
    }
    for (int i = 0; i < consumers; i++) {
      long share = share(n, consumers, i);
      parties[producers + i] = () -> out.addAndGet(consumer.take(q, share));
    }
    long ns = together(parties);
    if (in != out.get() || !q.isEmpty()) {
      throw new IllegalStateException(n + " elements with the sum " + in + " went in, the sum " + out.get() + " came out");
    }
    return ns;
  }

  /** Sends n bursts there and back and returns the nanoseconds. */
  static long ring(String queue, int capacity, int burst, long n) throws InterruptedException {
    MessagePassingQueue<Item> there = create(queue, capacity);
    MessagePassingQueue<Item> back = create(queue, capacity);
    return together(new Runnable[] {
      () -> send(there, back, burst, n), () -> echo(there, back, n * burst)
    });
  }

  static void send(MessagePassingQueue<Item> there, MessagePassingQueue<Item> back, int burst, long n) {
    Patience p = Patience.create();
    long sent = 0;
    long got = 0;
    for (long i = 0; i < n; i++) {
      for (int k = 0; k < burst; k++) {
        Item v = ITEMS[(int) (sent++ % MANY)];
        while (!there.offer(v)) {
          p.fail(sent);
        }
      }
      for (int k = 0; k < burst; k++) {
        Item v;
        while ((v = back.poll()) == null) {
          p.fail(got);
        }
        if (v.id != got++ % MANY) {
          System.err.println("an element came back that was not due");
          System.exit(1);
        }
      }
    }
  }

  static void echo(MessagePassingQueue<Item> there, MessagePassingQueue<Item> back, long n) {
    Patience p = Patience.create();
    for (long i = 0; i < n; i++) {
      Item v;
      while ((v = there.poll()) == null) {
        p.fail(i);
      }
      while (!back.offer(v)) {
        p.fail(i);
      }
    }
  }

  interface Round {
    long run(long n) throws InterruptedException;
  }

  static Round of(String queue, String how, int producers, int consumers, int capacity) {
    switch (how) {
      case "poll":
        return n -> round(queue, capacity, producers, consumers, Queues::offer, Queues::poll, n);
      case "relaxed":
        return n -> round(queue, capacity, producers, consumers, Queues::relaxedOffer, Queues::relaxedPoll, n);
      case "fill":
        return n -> round(queue, capacity, producers, consumers, Queues::fill, Queues::drain, n);
      default:
        int burst = Integer.parseInt(how.substring("ring-".length()));
        return n -> ring(queue, capacity, burst, n);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    backsOff = args[2].equals("backoff");
    capacity = Integer.parseInt(args[5]);
    Round round = of(args[0], args[1], Integer.parseInt(args[3]), Integer.parseInt(args[4]), capacity);
    long n = 1000;
    for (long begin = System.nanoTime(); System.nanoTime() - begin < WARMUP_NS; ) {
      long ns = round.run(n);
      n = Math.max(100, Math.min(8 * n, (long) (n * (double) ROUND_NS / Math.max(ns, 1))));
    }
    double[] each = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      each[i] = (double) round.run(n) / n;
    }
    java.util.Arrays.sort(each);
    double ns = each[ROUNDS / 2];
    System.out.println(args[1].startsWith("ring-") ? "ns/op " + ns : "op/s " + 1e9 / ns);
  }
}
