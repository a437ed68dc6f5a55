"""How far a model's probabilities p_i(c) of the classes count, which the answers of people decide.

    prior_i(c) = (1 - e) softmax_c(t log p_i(c) + b_c) + e / k

t says how sure of itself the model may be, b_c mends classes that it names too often or too rarely, and e is
how often it knows nothing. `learn` is one step of EM for the three. A row of NaN is a sample of which the
model says nothing.
"""

import numpy as np

from trigpoint._types import Array, Floats, Ints

FLOOR = 1e-6  # a smaller probability is taken for this one
STEP = 0.5  # the most that t changes at a time
STEEPEST = 5.0  # the largest t


class ModelTrust:
    """Probabilities of a model, and the prior that they are made into.

    Attributes
    ----------
    speaks : (m,) bool, of which samples the model says something
    prior : (m, k)
    """

    def __init__(self, probabilities: Floats) -> None:
        self.speaks: Array = np.asarray(~np.isnan(probabilities).any(axis=1))
        p = np.where(self.speaks[:, None], probabilities, 1.0)
        self._log = np.log(np.maximum(p, FLOOR))
        self._slope, self._shift, self._deaf = 1.0, np.zeros(probabilities.shape[1]), 0.1
        self._weigh()

    def guesses(self) -> Ints:
        """sample * k + class, of the most likely class of each sample."""
        n, k = self._log.shape
        at: Ints = np.arange(n) * k + self._log.argmax(axis=1)
        return at[self.speaks]

    def learn(self, samples: Ints, classes: Ints, r: Floats, rest: Floats) -> None:
        """From the probabilities of pairs (sample, class), and of all other classes of each sample."""
        n = len(self._log)
        found = self.prior.copy()
        found[samples, classes] = 0.0
        other = found.sum(axis=1)
        found *= np.divide(rest, other, out=np.zeros(n), where=other > 0)[:, None]
        found[samples, classes] = r
        heard = found * (1.0 - self._deaf) * self._soft / self.prior
        heard[~self.speaks] = 0.0
        n_speaks = int(self.speaks.sum())
        share = heard.sum(axis=1, keepdims=True)  # (m, 1) how likely each row is heard
        self._deaf = (n_speaks - float(share.sum()) + 0.5) / (n_speaks + 1.0)
        mean = (self._soft * self._log).sum(axis=1)
        spread = (self._soft * self._log**2).sum(axis=1) - mean**2
        slope = float(((heard - share * self._soft) * self._log).sum())
        curve = float((share[:, 0] * spread).sum())
        if curve > 0:
            self._slope += min(max(slope / curve, -STEP), STEP)
            self._slope = min(max(self._slope, 0.0), STEEPEST)
        self._soften()
        self._shift += np.log((heard.sum(axis=0) + 1.0) / ((share * self._soft).sum(axis=0) + 1.0))
        self._shift -= self._shift.mean()
        self._weigh()

    def _soften(self) -> None:
        z = self._slope * self._log + self._shift
        z -= z.max(axis=1, keepdims=True)
        np.exp(z, out=z)
        self._soft = z / z.sum(axis=1, keepdims=True)

    def _weigh(self) -> None:
        self._soften()
        k = self._log.shape[1]
        self.prior = (1.0 - self._deaf) * self._soft + self._deaf / k
        self.prior[~self.speaks] = 1.0 / k
