import { PortalError } from '#platform/http/errors.ts';

/** A store that refused, or a disk that is full or broken: the request itself is valid and may be repeated later. */
export const isStorageFault = (error: unknown): boolean =>
  (error instanceof PortalError && error.code === 'STORAGE_ERROR') || (error instanceof Error && 'syscall' in error);
