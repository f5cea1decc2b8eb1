/** What a step of `npm test` amounted to, read from the report that its runner wrote. */
import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/** Characters of a failure's message in the list at the end: enough to recognise it; the whole is further up in the log. */
const MESSAGE_LENGTH = 300;

/**
 * @param {string} file Vitest's JSON report
 * @param {number} code the runner's exit code
 * @param {{ mayBeEmpty?: boolean }} options a run without a test is a failure unless it may be
 * @returns {Tally}
 */
export function tallyOfVitest(file, code, { mayBeEmpty = false } = {}) {
  const report = readReport(file);
  if (report === undefined) return nothingBut('failed');
  // A file that could not even be loaded holds no test to count, and is a failure all the same.
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  return settle(
    { passed: report.numPassedTests, failed: report.numFailedTests + unloadable, skipped: report.numPendingTests + report.numTodoTests },
    { code, mayBeEmpty },
  );
}

/**
 * @param {string} file Playwright's JSON report
 * @param {number} code the runner's exit code
 * @returns {Tally}
 */
export function tallyOfPlaywright(file, code) {
  const report = readReport(file);
  if (report === undefined) return nothingBut('failed');
  const { expected, unexpected, flaky, skipped } = report.stats;
  // Flaky is failed: retries are off, and a journey that works sometimes does not work.
  return settle({ passed: expected, failed: unexpected + flaky, skipped }, { code });
}

/**
 * One line per failure with its file, its title and the beginning of its message: of a long log often only the end is kept.
 *
 * @param {string} file Vitest's JSON report
 * @param {string} folder what the files' names are told from
 * @returns {string[]}
 */
export function failuresOfVitest(file, folder) {
  return (readReport(file)?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const place = path.relative(folder, name);
    if (status === 'failed' && assertionResults.length === 0) return [failureLine(place, '', message)];
    return assertionResults
      .filter((result) => result.status === 'failed')
      .map(({ fullName, failureMessages }) => failureLine(place, fullName, failureMessages?.[0]));
  });
}

/**
 * The same for the journeys.
 *
 * @param {string} file Playwright's JSON report
 * @returns {string[]}
 */
export function failuresOfPlaywright(file) {
  return (readReport(file)?.suites ?? []).flatMap(failuresOfSuite);
}

function failuresOfSuite({ specs = [], suites = [] }) {
  const own = specs
    .filter(({ ok }) => !ok)
    .flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ projectName, results }) =>
          failureLine(`[${projectName}] ${file}`, title, results.find(({ error }) => error !== undefined)?.error.message),
        ),
    );
  return [...own, ...suites.flatMap(failuresOfSuite)];
}

function failureLine(place, title, message = '') {
  const told = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim().slice(0, MESSAGE_LENGTH);
  return [place, title, told].filter((part) => part !== '').join(' › ');
}

/** @param {'passed' | 'failed' | 'skipped'} outcome */
export function nothingBut(outcome) {
  return { passed: 0, failed: 0, skipped: 0, [outcome]: 1 };
}

/** @param {Tally[]} tallies */
export function sum(tallies) {
  const add = (key) => tallies.reduce((total, tally) => total + tally[key], 0);
  return { passed: add('passed'), failed: add('failed'), skipped: add('skipped') };
}

/**
 * The last line of `npm test`, always in this form; the table above it lists what was skipped.
 *
 * @param {Tally} tally
 */
export function summaryLine({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}

// A runner that is unhappy for a reason outside any test (an unhandled rejection, a broken setup, no test at all) has failed once.
function settle(tally, { code, mayBeEmpty = false }) {
  const unexplained = code !== 0 && tally.failed === 0;
  const empty = !mayBeEmpty && tally.passed + tally.failed + tally.skipped === 0;
  return unexplained || empty ? { ...tally, failed: tally.failed + 1 } : tally;
}

function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
