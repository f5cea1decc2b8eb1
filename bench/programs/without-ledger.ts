import type { createLedger as ledgerOfTheProduct } from '../../server/src/features/ledger/ledger.door.ts';

/* The door of the ledger, but that documents become visible with the transaction that keeps them, as they would without a ledger. */
export * from '../../server/src/features/ledger/ledger.door.ts';

export const createLedger: typeof ledgerOfTheProduct = ({ covered }) => {
  const nothing = async (): Promise<void> => {};
  return {
    async enter(trx, facts) {
      const published = facts.filter(({ event }) => event === 'PUBLISHED');
      await covered(
        trx,
        published.map(({ documentId, moment = null }) => ({ documentId, moment, enteredAt: new Date() })),
      );
    },
    cover: nothing,
    coverPublication: nothing,
    coverSoon: () => {},
    forget: nothing,
    assertOpen: () => {},
    halted: () => undefined,
    jobs: { 'ledger:round': nothing, 'ledger:date': nothing },
    settled: nothing,
  };
};
