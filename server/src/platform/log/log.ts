import { pino } from 'pino';

/** What rooms need of a log; pino's logger is one. */
export type Log = pino.Logger;

/** JSON lines on standard output. Values that could sign somebody in are cut out wherever they might slip into a line. */
export const createLog = (level: string, destination?: pino.DestinationStream): Log => {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', 'cookie', 'password', 'token', 'secret', '*.authorization', '*.cookie', '*.password', '*.token', '*.secret'],
      censor: '[removed]',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
};

export const silentLog = (): Log => pino({ level: 'silent' });
