import { leaveRoot } from '#app/leave-root.ts';
import { createLog } from '#platform/log/log.ts';
import { readSettings } from '#platform/settings/settings.ts';

/*
 * A program for tests: of a start by root with these settings, only what it does before anything is opened. Prints that it is ready like a
 * portal, and stays until it is ended.
 */
await leaveRoot({ settings: readSettings(process.env), log: createLog('info') });
process.stdout.write('Pergamin is ready at nothing\n');
process.stdin.resume();
