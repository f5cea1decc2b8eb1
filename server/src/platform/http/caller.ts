import type { PublisherScope } from '@pergamin/contract';

/** Who made a protected call, as the session says. Their documents are those of `cif` and `cif2`, and of the groups these belong to. */
export interface ClientCaller {
  readonly sessionId: string;
  readonly personalId: string;
  readonly cif: string;
  readonly cif2: string | null;
  readonly state: 'ACTIVE' | 'CLOSED';
}

/** Who made a publisher's call, as the API key says. */
export interface PublisherCaller {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly PublisherScope[];
  /** Marks everything that this publisher publishes as demonstration data. */
  readonly demo: boolean;
}
