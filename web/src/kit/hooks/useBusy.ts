import { useState } from 'react';

export interface Busy {
  readonly busy: boolean;
  readonly start: () => void;
}

/** Something that takes its time, and whether it is under way: then another start does nothing. It reports its failures itself. */
export function useBusy(act: () => Promise<unknown>): Busy {
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    await act();
    setBusy(false);
  };
  return { busy, start: () => void run() };
}
