copies.traceg
