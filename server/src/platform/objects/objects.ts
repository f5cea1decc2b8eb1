import type { Readable } from 'node:stream';

export interface StoredObject {
  /** Opaque; the store decides what it looks like. */
  readonly key: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** As the store was told with the bytes. Left out where it locks nothing. */
  readonly lockedUntil?: Date;
}

/** The lock of one object, as the store tells it. */
export interface ObjectLock {
  readonly mode: 'compliance' | 'governance';
  readonly until: Date;
}

export interface WholeFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  /** Whose it is, as principals are named (`cif:…`, `group:…`, `public`): an encrypted object is lost with the keys of all of them. Left out: everybody's. */
  readonly owners?: readonly string[];
  /** Until when nobody may remove it: a store that locks objects locks this one until then, from its first byte. Left out: for the shortest time. */
  readonly keptUntil?: Date | undefined;
}

/**
 * The bytes that were published: written once, never changed. `put` is acknowledged only when the bytes would survive a power cut; it throws
 * PortalError STORAGE_ERROR when the store is not usable and lets errors of the source through (nothing is kept then).
 */
export interface Objects {
  put(source: Readable, options?: Pick<WholeFile, 'keptUntil'>): Promise<StoredObject>;
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
   * @returns the lock that keeps the bytes; undefined when they are gone.
   */
  discard(key: string): Promise<ObjectLock | undefined>;
  /** Takes it out of `list`, and keeps it: `open` still gives it. For what nothing seems to name. */
  setAside(key: string): Promise<void>;
  /** All stored objects, in no order. One that is added or removed meanwhile may be among them or not. */
  list(): AsyncIterable<{ readonly key: string; readonly storedAt: Date }>;
  /** What `discard` had to leave, as the store locks it. */
  listDiscarded(): AsyncIterable<string>;
  /** Where the store locks objects: this one until then, at least. A lock is never shortened. */
  retain(key: string, until: Date): Promise<void>;
  /** The lock of this object, asked of the store now; undefined when nothing keeps it from being removed. Throws STORAGE_ERROR when it is not there. */
  findLock(key: string): Promise<ObjectLock | undefined>;
  /** Throws when objects cannot be read; /api/ready calls it. Whether the store takes new ones is not asked. */
  probe(): Promise<void>;
}
