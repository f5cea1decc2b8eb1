export interface WrappedKey {
  /** Of the key that wraps. */
  readonly version: number;
  readonly wrapped: Buffer;
}

/** Holds the keys that wrap clients' keys, by version: a file, or a service that never gives them out. */
export interface KeyProvider {
  /** The version by which new keys are wrapped. */
  currentVersion(): Promise<number>;
  /** `context`: what it is the key of. */
  wrap(key: Buffer, context: string): Promise<WrappedKey>;
  /** Throws KeyUnavailable for a version that is not there, and for a key that was wrapped by another one. */
  unwrap(wrapped: WrappedKey, context: string): Promise<Buffer>;
}

/** The key file is missing, cannot be read, or is not the one by which the clients' keys were wrapped. */
export class KeyUnavailable extends Error {
  override readonly name = 'KeyUnavailable';
}
