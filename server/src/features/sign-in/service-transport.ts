import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { CustomFetch } from 'openid-client';
import { isLoopback } from '#platform/http/host-guard.ts';

interface Rules {
  readonly issuer: string;
  /** The service is in the organisation's own network. */
  readonly privateNetwork: boolean;
}

const timeoutMs = 5_000;
const maxBytes = 1_048_576;

const listOf = (ranges: readonly (readonly [string, number])[]): BlockList => {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  return list;
};

const loopback = listOf([
  ['127.0.0.0', 8],
  ['::1', 128],
]);

const privateRanges = listOf([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
]);

/** Loopback, link-local and unassigned addresses, among them the metadata services of clouds. The last two write IPv4 as IPv6. */
const neverAsked = listOf([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
  ['2002::', 16],
]);

const isAllowed = (address: string, { issuer, privateNetwork }: Rules): boolean => {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  if (neverAsked.check(address, family)) return false;
  if (loopback.check(address, family)) return isLoopback(new URL(issuer));
  return privateNetwork || !privateRanges.check(address, family);
};

const unbracketed = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Throws for an address that a service of these rules must not name, in the settings or in the service's own metadata. */
export const assertAddress = (url: URL, rules: Rules): void => {
  const plain = url.protocol === 'http:' && isLoopback(url) && isLoopback(new URL(rules.issuer));
  if (url.protocol !== 'https:' && !plain) throw new Error('an identity service is asked by https only');
  if (url.username !== '' || url.password !== '') throw new Error('an address of an identity service holds no credentials');
  const host = unbracketed(url.hostname);
  if (isIP(host) !== 0 && !isAllowed(host, rules)) throw new Error('an identity service may not send requests to an internal address');
};

/** Names are resolved once, and the connection uses the checked address: DNS rebinding cannot redirect it between check and use. */
const guardedLookup =
  (rules: Rules): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => isAllowed(address, rules));
      const [first] = allowed;
      if (first === undefined) return callback(new Error('an identity service may not send requests to an internal address'), '', 0);
      return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };

const payloadOf = (body: Parameters<CustomFetch>[1]['body']): string | undefined => {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('only text is sent to an identity service');
};

const isWithoutBody = (status: number): boolean => status === 204 || status === 205 || status === 304;

/**
 * Requests to an outside identity service: https (http only between loopback addresses), no internal addresses, no redirects followed, five
 * seconds, one megabyte.
 */
export const createServiceTransport =
  (rules: Rules): CustomFetch =>
  async (address, { method, headers, body, signal }) => {
    const url = new URL(address);
    assertAddress(url, rules);
    const payload = payloadOf(body);
    const timeout = AbortSignal.timeout(timeoutMs);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const ask = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = ask(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      agent: false,
      lookup: guardedLookup(rules),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      maxHeaderSize: 16_384,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) request.destroy(new Error('an identity service answered with more than a megabyte'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (status < 200 || status > 599) return reject(new Error('an identity service answered with no status of HTTP'));
        const answered = new Headers();
        for (const [name, values] of Object.entries(response.headersDistinct))
          for (const value of values ?? []) answered.append(name, value);
        return resolve(new Response(isWithoutBody(status) ? null : Buffer.concat(chunks), { status, headers: answered }));
      });
    });
    request.end(payload);
    return promise;
  };
