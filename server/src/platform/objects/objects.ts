import type { Readable } from 'node:stream';

export interface StoredObject {
  /** Opaque; the store decides what it looks like. */
  readonly key: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

export interface WholeFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  /** Whose it is, as principals are named (`cif:…`, `group:…`, `public`): an encrypted object is lost with the keys of all of them. Left out: everybody's. */
  readonly owners?: readonly string[];
}

/**
 * The bytes that were published: written once, never changed. `put` is acknowledged only when the bytes would survive a power cut; it throws
 * PortalError STORAGE_ERROR when the store is not usable and lets errors of the source through (nothing is kept then).
 */
export interface Objects {
  put(source: Readable): Promise<StoredObject>;
  /**
   * Like `put`, of whole files on this machine that were hashed while they were written, and flushed: all of them or none. The store may take the files
   * themselves instead of copying them: afterwards there may be nothing under their paths. Throws STORAGE_ERROR when what it would keep is not
   * what the caller knows of it.
   */
  putFiles<const Files extends readonly WholeFile[]>(files: Files): Promise<{ -readonly [Index in keyof Files]: StoredObject }>;
  /** `range` is inclusive, in bytes. Throws PortalError STORAGE_ERROR when the object is not there or cannot be read; the stream breaks off with AlteredObject where an encrypted one was altered. */
  open(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /**
   * Only for what was never published (a refused upload), for demonstration data, and for documents whose retention is over. Where a lock of the store
   * forbids it, the object stays, out of `list` and named by `listDiscarded`, until it is discarded again after the lock.
   */
  discard(key: string): Promise<void>;
  /** Takes it out of `list`, and keeps it: `open` still gives it. For what nothing seems to name. */
  setAside(key: string): Promise<void>;
  /** All stored objects, in no order. One that is added or removed meanwhile may be among them or not. */
  list(): AsyncIterable<{ readonly key: string; readonly storedAt: Date }>;
  /** What `discard` had to leave, as the store locks it. */
  listDiscarded(): AsyncIterable<string>;
  /** Where the store locks objects: this one until then, at least. A lock is never shortened. */
  retain(key: string, until: Date): Promise<void>;
  /** Throws when objects cannot be read; /api/ready calls it. Whether the store takes new ones is not asked. */
  probe(): Promise<void>;
}
