import * as z from 'zod/mini';
import { isLoopback } from '#platform/http/host-guard.ts';
import { isTooWide, readNetwork } from '#platform/http/network.ts';

/** Items separated by commas; empty ones are left out. */
export const list = z.pipe(
  z.string(),
  z.transform((written) =>
    written
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
);

const isOrigin = (written: string): boolean => URL.canParse(written) && new URL(written).href === `${new URL(written).origin}/`;

/** The origin that customers open: https, or http on loopback. */
export const publicUrl = z.pipe(
  z.string().check(
    z.refine((written) => /^https?:/i.test(written) && isOrigin(written), { error: 'not an address like https://documents.example.com' }),
    z.refine((written) => !/^http:/i.test(written) || !URL.canParse(written) || isLoopback(new URL(written)), {
      error: 'http is allowed on loopback only; use https',
    }),
  ),
  z.transform((written) => new URL(written)),
);

/** Addresses and networks whose X-Forwarded-For is believed. */
export const proxies = list.check(
  z.refine((addresses) => addresses.every((written) => readNetwork(written) !== undefined), {
    error: 'not addresses or networks like 10.0.0.1 or 10.0.0.0/8',
  }),
  z.refine((addresses) => !addresses.map(readNetwork).some((network) => network !== undefined && isTooWide(network)), {
    error: 'a network so wide that strangers are in it, who could claim any address',
  }),
);
