package limit

import (
	"math"
	"time"
)

// bucket fills at a steady rate up to its size. Taking may leave a debt, which
// those who come later wait for; golang.org/x/time/rate has no way to give back
// an estimate that was too high, and refuses what is larger than the bucket.
type bucket struct {
	perSecond float64 // 0: no bound
	size      float64
	level     float64 // at time at; below 0 is debt
	at        time.Time
}

// newBucket returns a full bucket.
func newBucket(perMinute float64, burst time.Duration, now time.Time) bucket {
	if !(perMinute > 0) || math.IsInf(perMinute, 1) {
		return bucket{}
	}
	perSecond := perMinute / 60
	size := max(1, perSecond*burst.Seconds())
	return bucket{perSecond: perSecond, size: size, level: size, at: now}
}

// wait fills the bucket up to now and returns how long it takes until n may be
// taken: until it holds n, or is full where n is more than it can hold.
func (b *bucket) wait(now time.Time, n float64) time.Duration {
	if b.perSecond == 0 {
		return 0
	}
	if now.After(b.at) {
		b.level = min(b.size, b.level+now.Sub(b.at).Seconds()*b.perSecond)
		b.at = now
	}
	missing := min(n, b.size) - b.level
	if missing <= 0 {
		return 0
	}
	seconds := missing / b.perSecond
	if seconds > math.MaxInt64/float64(2*time.Second) {
		return math.MaxInt64 / 2
	}
	return time.Duration(math.Ceil(seconds * float64(time.Second)))
}

// take takes n, or gives it back where n is negative.
func (b *bucket) take(n float64) {
	if b.perSecond > 0 {
		b.level = min(b.size, b.level-n)
	}
}
