import { pino } from 'pino';

/** What rooms need of a log; pino's logger is one. */
export type Log = pino.Logger;

/** JSON lines on standard error; standard output is for the lines people read. Values that could sign somebody in are cut out wherever they might slip into a line. */
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
  return pino(options, destination ?? pino.destination({ fd: 2, sync: false }));
};

export const silentLog = (): Log => pino({ level: 'silent' });
