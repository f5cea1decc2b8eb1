import { PortalError } from '#platform/http/errors.ts';

/** A store that refused, or a disk that is full or broken: nothing that was asked for is wrong, and another time it will work. */
export const isStorageFault = (error: unknown): boolean =>
  (error instanceof PortalError && error.code === 'STORAGE_ERROR') || (error instanceof Error && 'syscall' in error);
