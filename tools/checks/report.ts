/** Ends a check: its problems, one a line, and exit code 1; or one sentence of what was checked. */
export function report(problems: readonly string[], looked: string): void {
  if (problems.length === 0) {
    process.stdout.write(`${looked}\n`);
    return;
  }
  process.stdout.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
}
