"""Gradients of a picture, by the definition: pixel by pixel."""

import math

import numpy as np


def gradients(picture, C=12, B=8):
    """(C * C * B,)"""
    h, w = len(picture), len(picture[0])
    at = lambda y, x: float(picture[min(max(y, 0), h - 1)][min(max(x, 0), w - 1)])  # noqa: E731
    c = np.zeros((C, C, B))
    for y in range(h):
        for x in range(w):
            gx, gy = (at(y, x + 1) - at(y, x - 1)) / 2, (at(y + 1, x) - at(y - 1, x)) / 2
            for b, p in shared(math.atan2(gy, gx) / (2 * math.pi) * B % B, B, circle=True):
                for u, q in shared(min(max((y + 0.5) / h * C - 0.5, 0), C - 1), C):
                    for v, r in shared(min(max((x + 0.5) / w * C - 0.5, 0), C - 1), C):
                        c[u, v, b] += p * q * r * math.hypot(gx, gy)
    return described(c, C)


def shared(place, count, circle=False):
    """The two whole numbers around a place, and the share of each."""
    low = math.floor(place)
    pairs = [(low, 1 - (place - low)), (low + 1, place - low)]
    return [(k % count if circle else min(k, count - 1), share) for k, share in pairs if share > 0]


def described(c, C):
    e = (c**2).sum(axis=2)
    found = np.zeros_like(c)
    inside = lambda k: min(max(k, 0), C - 1)  # noqa: E731
    for u in range(C):
        for v in range(C):
            around = [e[inside(u + i), inside(v + j)] for i in (-1, 0, 1) for j in (-1, 0, 1)]
            scale = math.sqrt(sum(around) / 9 + 0.01 * e.mean())
            if scale > 0:
                found[u, v] = c[u, v] / scale
    found = np.sqrt(found).ravel()
    length = np.linalg.norm(found)
    return found / length if length > 0 else found
