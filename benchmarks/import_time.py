"""Seconds that `import trigpoint` costs, and the first use of each room. Run: ./dev bench import_time"""

import subprocess
import sys

SNIPPETS = {
    "import numpy (for scale)": "import numpy",
    "import trigpoint": "import trigpoint",
    "trigpoint.graph": "import trigpoint.graph",
    "trigpoint.alignment": "import trigpoint.alignment",
    "trigpoint.propagation": "import trigpoint.propagation",
}
TIMER = "from time import perf_counter as c; t = c(); {}; print(c() - t)"


def main():
    for name, code in SNIPPETS.items():
        command = [sys.executable, "-c", TIMER.format(code)]
        runs = [
            float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
            for _ in range(5)
        ]
        print(f"{name}: {min(runs):.3f} s")


if __name__ == "__main__":
    main()
