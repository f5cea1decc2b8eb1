import { relocateHere, RelocationError, removeMovedHere } from '#app/relocate-here.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin relocate` runs. */

const [, , verb, store = ''] = process.argv;

const move = async (): Promise<string> => {
  const { copied, isSwitched } = await relocateHere(process.env, store);
  const done = `${copied} objects were copied to ${store}, and verified there`;
  return isSwitched
    ? `${done}\nAll documents are in ${store} now. Set OBJECTS_URL (or DATA_DIR) to it before the next start; with the former store the portal does not start.\nWhen all is well: pergamin relocate --remove --from FORMER`
    : `${done}\nA portal is at work, so it goes on with the former store. Stop it, and run this again: it copies what came meanwhile and switches.`;
};

const remove = async (): Promise<string> => {
  const { removed, failed } = await removeMovedHere(process.env, store);
  if (failed > 0)
    throw new RelocationError(
      `DOCUMENT_REMOVE_ERROR: ${failed} objects of ${store} could not be removed, and ${removed} were; the log above says why`,
    );
  return `${removed} objects of ${store} were removed; those that its lock keeps are hidden there until it ends`;
};

try {
  process.stdout.write(`${await (verb === 'remove' ? remove() : move())}\n`);
} catch (error) {
  if (!(error instanceof RelocationError) && !isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 1;
}
