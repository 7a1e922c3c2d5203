"""Fits erfc(x) = t Q(t) exp(-x^2), t = 1/(1 + 0.3275911 x), on [0, 9.3] by
weighted least squares (the form is Abramowitz and Stegun's 7.1.26) and prints the
coefficients that gen/main.go holds, with the largest error of gelu in float64 and
in float32. Needs numpy only."""
import math

import numpy as np

TOP, P = 9.3, 0.3275911


def fit(degree):
    low = 1 / (1 + P * TOP)
    t = low + (1 - low) * (np.cos(np.pi * (np.arange(4000) + 0.5) / 4000) + 1) / 2
    x = (1 / t - 1) / P
    want = np.array([math.erfc(v) * math.exp(v * v) for v in x]) / t
    matters = np.exp(-x * x) * (x + 0.02) * t + 1e-7 * t  # the error's part in gelu
    weight = matters.copy()
    for _ in range(60):
        rows = np.vander(t, degree + 1, increasing=True)
        c = np.linalg.lstsq(rows * weight[:, None], want * weight, rcond=None)[0]
        error = np.abs(rows @ c - want) * matters
        weight *= 1 + 0.5 * error / error.max()
    return c.astype(np.float32), error.max()


if __name__ == "__main__":
    q, error = fit(7)
    f = np.float32
    x = np.linspace(0, TOP, 200001).astype(f)
    t = f(1) / (f(1) + f(P) * x)
    s = np.full_like(t, q[-1])
    for c in q[::-1][1:]:
        s = s * t + c
    got = x * f(math.sqrt(0.5)) * (np.exp(-(x * x)) * (s * t))
    true = np.array([v * math.sqrt(0.5) * math.erfc(v) for v in x.astype(float)])
    print([float(c) for c in q], f"error {error:.1e}, in float32 {np.abs(got - true).max():.1e}")
