"""Fits erf(x) = x P(x^2)/Q(x^2) on [0, 3.9] by weighted least squares and
prints the coefficients that gen/main.go holds, with the largest error in
float64 and in float32. Needs numpy only."""
import math

import numpy as np

TOP = 3.9


def fit(p, q):
    x = np.sort(np.cos(np.linspace(0, np.pi / 2, 6001)) * TOP)
    x = x[x > 1e-4]
    t, want = x * x, np.array([math.erf(v) for v in x])
    weight, den, best = np.ones_like(x), np.ones_like(x), None
    for _ in range(60):
        rows = np.stack([t**i for i in range(p + 1)] + [-want / x * t**i for i in range(1, q + 1)], 1)
        w = x / den * weight
        scale = np.abs(rows * w[:, None]).max(0)
        c = np.linalg.lstsq(rows * w[:, None] / scale, want / x * w, rcond=None)[0] / scale
        P, Q = c[: p + 1], np.concatenate([[1], c[p + 1 :]])
        den = np.polyval(Q[::-1], t)
        err = np.abs(x * np.polyval(P[::-1], t) / den - want)
        if best is None or err.max() < best[0]:
            best = err.max(), P, Q
        weight = weight * (err / err.max() + 0.02) ** 0.5
        weight /= weight.mean()
    return best


def horner32(c, t):
    out = np.full_like(t, np.float32(c[-1]))
    for v in c[::-1][1:]:
        out = out * t + np.float32(v)
    return out


if __name__ == "__main__":
    error, P, Q = fit(5, 5)
    x = np.linspace(-6, 6, 400001).astype(np.float32)
    z = np.clip(x, -np.float32(TOP), np.float32(TOP))
    y = z * horner32(P, z * z) / horner32(Q, z * z)
    want = np.array([math.erf(float(v)) for v in x])
    print("P", [float(np.float32(v)) for v in P])
    print("Q", [float(np.float32(v)) for v in Q])
    print("largest error: float64 %.2g, float32 %.2g" % (error, np.abs(y - want).max()))
