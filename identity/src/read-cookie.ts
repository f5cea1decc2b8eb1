import type { IncomingMessage } from 'node:http';

export const readCookie = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
};
