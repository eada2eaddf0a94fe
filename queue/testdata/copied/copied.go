// Package copied copies queues, for which go vet must scold.
package copied

import "github.com/tarebench/tare/queue"

func copies(
	a *queue.SPSC[int], b *queue.GrowableSPSC[int], c *queue.UnboundedSPSC[int], d *queue.MPSC[int],
	e *queue.LinkedMPSC[int], f *queue.UnboundedMPSC[int], g *queue.SPMC[int], h *queue.MPMC[int],
	i *queue.BufferedProducer[int], j *queue.Blocking[int],
	k *queue.UnboundedMPMC[int], l *queue.BufferedConsumer[int],
) {
	_, _, _, _, _ = *a, *b, *c, *d, *e
	_, _, _, _, _ = *f, *g, *h, *i, *j
	_, _ = *k, *l
	a2 := *a
	b2 := *b
	c2 := *c
	d2 := *d
	e2 := *e
	f2 := *f
	g2 := *g
	h2 := *h
	i2 := *i
	j2 := *j
	k2 := *k
	l2 := *l
	_, _, _, _, _ = &a2, &b2, &c2, &d2, &e2
	_, _, _, _, _ = &f2, &g2, &h2, &i2, &j2
	_, _ = &k2, &l2
}
