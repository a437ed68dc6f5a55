"""Matching pursuit, K-SVD and its label consistent form as they are defined: slow, and in full.

Signals and atoms are rows, as everywhere in the project; codes are (n, K).
"""

import numpy as np


def omp(z, D, sparsity):
    """The atom most correlated with the residual joins; least squares on all that have. First of equals."""
    chosen, x = [], np.zeros(len(D))
    for _ in range(min(sparsity, *D.shape)):
        r = z - x @ D
        gains = np.abs(D @ r)
        gains[chosen] = 0.0
        if gains.max() <= 1e-12 * np.linalg.norm(z):
            break
        chosen.append(int(gains.argmax()))
        x = np.zeros(len(D))
        x[chosen] = np.linalg.lstsq(D[chosen].T, z, rcond=None)[0]
    return x


def codes(Z, D, sparsity):
    return np.array([omp(z, D, sparsity) for z in Z])


def sweep(Z, X, D, atom_classes=None, labels=None):
    """Each atom and its coefficients by a full SVD of what its users lack; unused ones are replaced."""
    X, D, taken = X.copy(), D.copy(), []
    atom_classes = np.zeros(len(D), int) if atom_classes is None else atom_classes
    labels = np.zeros(len(Z), int) if labels is None else labels
    for k in range(len(D)):
        users = np.flatnonzero(X[:, k])
        if len(users):
            E = Z[users] - X[users] @ D + np.outer(X[users, k], D[k])
            U, s, Vt = np.linalg.svd(E, full_matrices=False)
            sign = 1.0 if Vt[0] @ D[k] >= 0 else -1.0
            D[k], X[users, k] = sign * Vt[0], sign * s[0] * U[:, 0]
        else:
            left = ((Z - X @ D) ** 2).sum(axis=1)
            left[(labels != atom_classes[k]) | (left <= 1e-24 * (Z**2).sum(axis=1))] = 0.0
            left[taken] = 0.0
            if left.max() > 0:
                taken.append(int(left.argmax()))
                D[k] = Z[taken[-1]] / np.linalg.norm(Z[taken[-1]])
    return X, D, len(taken)


def label_consistent(Y, labels, D, atom_classes, sparsity, alpha, beta, n_iterations):
    """From atoms D on, in all p + K + C columns: D, A, W and the errors of each iteration."""
    p, K = Y.shape[1], len(D)
    H = np.eye(labels.max() + 1)[labels]
    Q = (labels[:, None] == atom_classes).astype(float)
    X = codes(Y, D, sparsity)
    ridge = np.linalg.inv(X.T @ X + np.eye(K)) @ X.T
    Z = np.hstack([Y, np.sqrt(alpha) * Q, np.sqrt(beta) * H])
    joint = np.hstack([D, np.sqrt(alpha) * ridge @ Q, np.sqrt(beta) * ridge @ H])
    joint /= np.linalg.norm(joint, axis=1, keepdims=True)
    errors = []
    for _ in range(n_iterations):
        X, joint, _ = sweep(Z, codes(Z, joint, sparsity), joint, atom_classes, labels)
        R = (Z - X @ joint) ** 2
        errors.append(
            [R[:, :p].sum(), R[:, p : p + K].sum() / alpha, R[:, p + K :].sum() / max(beta, 1e-300)]
        )
    lengths = np.linalg.norm(joint[:, :p], axis=1, keepdims=True)
    D, A = joint[:, :p], joint[:, p : p + K] / np.sqrt(alpha)
    ridge = np.linalg.inv(X.T @ X + np.eye(K)) @ X.T
    W = joint[:, p + K :] / np.sqrt(beta) if beta else ridge @ H
    return D / lengths, A / lengths, W / lengths, X, np.array(errors)
