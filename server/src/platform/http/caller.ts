import type { PublisherScope } from '@pergamin/contract';

/** The caller of a protected call, from the session. Their documents are those of `cif` and `cif2`, and of the groups these belong to. */
export interface ClientCaller {
  readonly sessionId: string;
  readonly sessionBeganAt: Date;
  readonly personalId: string;
  readonly cif: string;
  readonly cif2: string | null;
  readonly state: 'ACTIVE' | 'CLOSED';
}

/** The caller of a publisher's call, from the API key. */
export interface PublisherCaller {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly PublisherScope[];
  /** Marks everything that this publisher publishes as demonstration data. */
  readonly demo: boolean;
}
