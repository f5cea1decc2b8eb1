import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits in base64url: 43 characters of [A-Za-z0-9_-]. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** 32 bytes; texts are hashed as UTF-8. */
export const sha256 = (value: string | Uint8Array): Buffer => hash('sha256', value, 'buffer');

/** Compares without telling by its time where two values differ. */
export const isEqual = (left: Uint8Array, right: Uint8Array): boolean => left.length === right.length && timingSafeEqual(left, right);
