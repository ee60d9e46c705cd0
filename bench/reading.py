"""Text read from a screen of about 900 words, beside Tesseract's own command line; and the cost of marks."""
import json
import os
import subprocess
import tempfile
import time


def measure(results, programs, rounds):
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "screen.ppm")
        with subprocess.Popen([programs.reading, picture], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as reader:
            for _ in range(rounds):
                reader.stdin.write("\n")
                reader.stdin.flush()
                took = json.loads(reader.stdout.readline())
                for name in ("cold", "changed", "unchanged"):
                    results.add("reading 1080p", f"handrail {name}", took[name])
                results.add("reading 1080p", "words missed %", 100 * took["missed"] / took["words"])
                results.add("marks", "handrail", took["marks"])
                for name, limit in (("tesseract --psm 11", {}), ("tesseract, one thread", {"OMP_THREAD_LIMIT": "1"})):
                    start = time.perf_counter()
                    subprocess.run(["tesseract", picture, "-", "--psm", "11"], check=True, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env={**os.environ, **limit})
                    results.add("reading 1080p", name, (time.perf_counter() - start) * 1e3)
            reader.stdin.close()
