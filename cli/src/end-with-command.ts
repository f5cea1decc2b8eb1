import './closed-output.ts';

/*
 * Loaded before a program that a command of `pergamin` runs: the program ends with its command, however that ends. A relocation whose command was killed would
 * otherwise go on unseen, beside the next one.
 */
if (process.connected) {
  process.once('disconnect', () => process.exit(1));
  // The program ends when its work is done, whether or not the command still listens.
  process.channel?.unref();
}
