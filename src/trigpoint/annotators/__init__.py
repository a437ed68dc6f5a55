"""Answers of several people about the same samples: what they come to, how good each is, how far they agree.

    (sample, label, annotator), ... -> Consensus: a label for each sample, the quality of each person

_consensus           the door: checks, and the record that it returns
_class_model         classes: people with confusions, weighed by how well they explain each other
_model_trust         how far a model's probabilities count as one more voice
_majority            the class that most name, and quality only among ties: for a page that people look at
_value_model         real targets: the mean, weighed by each person's precision
_agreement           pairs that agree and Krippendorff's alpha, kept up to date answer by answer
"""

from trigpoint.annotators._agreement import Agreement, ClassAgreement, Value, ValueAgreement
from trigpoint.annotators._consensus import Annotator, Consensus, consensus
from trigpoint.annotators._majority import majority

__all__ = [
    "Agreement",
    "Annotator",
    "ClassAgreement",
    "Consensus",
    "Value",
    "ValueAgreement",
    "consensus",
    "majority",
]
