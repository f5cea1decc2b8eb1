import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A small repository in a temporary folder, gone after the test: file contents by path, objects written as JSON. */
export function plantTree(files: Readonly<Record<string, string | object>>): string {
  const root = mkdtempSync(path.join(os.tmpdir(), 'pergamin-checks-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}
