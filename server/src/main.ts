import { startPortal } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

try {
  const portal = await startPortal(process.env);
  const stop = (): void => void portal.stop().then(() => process.exit(0));
  // A supervisor and npm may both say it; only a second Ctrl-C ends it at once.
  process.on('SIGTERM', stop);
  process.once('SIGINT', stop);
  // In one write, and only now: a parent process may stop the portal right after the first line.
  process.stdout.write(`${portal.lines.join('\n')}\n`);
} catch (error) {
  process.stderr.write(
    isForOperator(error) ? `${error.message}\n` : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}
