import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { failuresOfPlaywright, failuresOfVitest, sum, summaryLine, tallyOfPlaywright, tallyOfVitest } from './tally.mjs';

function report(content: object): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pergamin-tally-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'report.json'), JSON.stringify(content));
  return path.join(folder, 'report.json');
}

const vitest = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] };
const stats = { expected: 4, unexpected: 0, flaky: 0, skipped: 1 };

test('passed, failed and skipped are counted as the runner reports them', () => {
  expect(tallyOfVitest(report(vitest), 0)).toEqual({ passed: 5, failed: 0, skipped: 2 });
  expect(tallyOfPlaywright(report({ stats }), 0)).toEqual({ passed: 4, failed: 0, skipped: 1 });
});

test('a test file that could not be loaded has failed', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }];
  expect(tallyOfVitest(report({ ...vitest, testResults }), 1)).toEqual({ passed: 5, failed: 1, skipped: 2 });
});

test('a journey that works only sometimes has failed', () => {
  expect(tallyOfPlaywright(report({ stats: { ...stats, flaky: 1 } }), 0)).toMatchObject({ failed: 1 });
});

test('an exit code that no failed test explains is a failure', () => {
  expect(tallyOfVitest(report(vitest), 1)).toMatchObject({ passed: 5, failed: 1 });
  expect(tallyOfPlaywright(report({ stats }), 1)).toMatchObject({ passed: 4, failed: 1 });
});

test('a run without any test, or without a report, is a failure', () => {
  const none = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
  expect(tallyOfPlaywright(report({ stats: none }), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(tallyOfVitest('/nowhere/report.json', 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('a run of what a change reaches may be without any test, not without a report', () => {
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
  expect(tallyOfVitest(report(none), 0)).toMatchObject({ failed: 1 });
  expect(tallyOfVitest(report(none), 0, { mayBeEmpty: true })).toEqual({ passed: 0, failed: 0, skipped: 0 });
  expect(tallyOfVitest(report(none), 1, { mayBeEmpty: true })).toMatchObject({ failed: 1 });
  expect(tallyOfVitest('/nowhere/report.json', 0, { mayBeEmpty: true })).toMatchObject({ failed: 1 });
});

test('each failure is named on one line with its file and the beginning of its message', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'water is wet', failureMessages: [] },
    { status: 'failed', fullName: 'water is dry', failureMessages: ['\u001B[31mexpected true\u001B[39m\n  to be false'] },
  ];
  const testResults = [
    { name: '/project/server/water.test.ts', status: 'failed', message: '', assertionResults },
    { name: '/project/server/fire.test.ts', status: 'failed', message: 'Cannot find fire', assertionResults: [] },
  ];
  expect(failuresOfVitest(report({ ...vitest, testResults }), '/project')).toEqual([
    'server/water.test.ts › water is dry › expected true to be false',
    'server/fire.test.ts › Cannot find fire',
  ]);

  const spec = (title: string, ok: boolean, status: string, error?: object) => ({
    file: 'journeys/water.test.ts',
    title,
    ok,
    tests: [{ projectName: 'phone', status, results: [{ error }] }],
  });
  const specs = [spec('one swims', true, 'expected'), spec('one sinks', false, 'unexpected', { message: 'Timeout\nof 30 s' })];
  expect(failuresOfPlaywright(report({ stats, suites: [{ suites: [{ specs }] }] }))).toEqual([
    '[phone] journeys/water.test.ts › one sinks › Timeout of 30 s',
  ]);
});

test('nothing is named where nothing failed, and where there is no report', () => {
  expect(failuresOfVitest(report(vitest), '/project')).toEqual([]);
  expect(failuresOfVitest('/nowhere/report.json', '/project')).toEqual([]);
  expect(failuresOfPlaywright('/nowhere/report.json')).toEqual([]);
});

test('the last line adds all up, and has one form with and without skipped tests', () => {
  expect(
    summaryLine(
      sum([
        { passed: 9, failed: 0, skipped: 0 },
        { passed: 5, failed: 1, skipped: 0 },
      ]),
    ),
  ).toBe('14 passed, 1 failed');
  expect(summaryLine({ passed: 14, failed: 0, skipped: 3 })).toBe('14 passed, 0 failed');
});
