"""The Brain over HTTP: its reads for people and for tokens, and what its managers change."""

from brain.api.asking import Address
from brain.api.managing import Brain, Change, Rebuild
from brain.api.reads import MemberQuestion, MemberRead, PortalRead, ReadApi, TokenRead

__all__ = [
    "Address",
    "Brain",
    "Change",
    "MemberQuestion",
    "MemberRead",
    "PortalRead",
    "ReadApi",
    "Rebuild",
    "TokenRead",
]
