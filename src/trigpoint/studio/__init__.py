"""Label in the browser: one page, one store, one process that computes.

    page ──actions──▶ web ─▶ service ─▶ writer (SQLite, on disk before it answers) ─▶ book
                                 │                                                     │
                                 └── desk: who gets which sample next                  └─▶ worker process

The store is a log of events that only grows; the book is what follows from it; the desk lends samples to
people. The worker owns the graph and the learner and is never waited for.
"""
