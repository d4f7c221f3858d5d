"""The figures of the papers that the tables put beside ours.

SCALE: Florian, "Systematic testing of multithreaded programs" (Caltech, 2010), tables 6.1 to 6.3;
seconds on a laptop of 2009. REDUCTION: Musuvathi, Qadeer, MSR-TR-2007-12, table 1. BOUNDING:
Musuvathi, Qadeer, PLDI 2007, tables 1 and 2.
"""

# threads: runs of SCALE, of SCALE without super steps, of Inspect, of CHESS with bound 2
INDEXER = {
    1: (1, 1, 1, 1), 2: (2, 18, 1, 73), 3: (8, 309, 1, 715), 4: (32, 5256, 1, 5448),
    5: (146, 89363, 1, 37927), 6: (818, None, 1, 257265), 7: (8593, None, 1, 1885380),
}
INDEXER_SECONDS = {1: 0.041, 2: 0.056, 3: 0.147, 4: 0.728, 5: 5.148, 6: 37.881, 7: 478.146}

POOL = {1: (6, 6, 3, 15), 2: (124, 136, 102, 367), 3: (3347, 4875, 4030, 14024),
        4: (127766, 246763, 324772, 998381)}
POOL_SECONDS = {1: 0.077, 2: 0.980, 3: 28.143, 4: 1182.061}

BARRIER = {
    (2, 1): (6, 6, 3, 15), (2, 2): (54, 54, 27, 42), (2, 3): (486, 486, 243, 81),
    (2, 4): (4374, 4374, 2187, 132), (2, 5): (39365, 39365, 19683, 195),
    (3, 1): (481, 481, 390, 658), (3, 2): (431894, 431904, 683100, 12182),
    (4, 1): (143639, 158758, 321008, 107307),
}
BARRIER_SECONDS = {(2, 1): 0.068, (2, 2): 0.428, (2, 3): 4.576, (2, 4): 43.542, (2, 5): 430.832,
                   (3, 1): 3.603, (3, 2): 4119.880, (4, 1): 1245.443}

# size: {bound: (terminal executions without reduction, with)}
WORK_STEALING = {
    3: {0: (2, 2), 1: (46, 46), 2: (756, 713), 3: (8918, 7838), 4: (66374, 48828)},
    4: {0: (2, 2), 1: (54, 54), 2: (898, 853), 3: (12711, 8458), 4: (95935, 52572)},
    5: {0: (2, 2), 1: (67, 67), 2: (1197, 1136), 3: (19460, 14563), 4: (161637, 95068)},
}

# program: threads, most steps, most blocking steps, most preemptions
SIZES = {"Bluetooth": (3, 15, 2, 8), "File system model": (4, 20, 8, 13),
         "Work-stealing queue": (3, 99, 2, 35)}

# program: bugs found with 0, 1, 2, 3 preemptions
BUGS = {"Bluetooth": (0, 1, 0, 0), "Work-stealing queue": (0, 1, 2, 0),
        "Transaction manager": (0, 0, 2, 1), "Channel": (0, 1, 0, 0)}
