/** Where a store keeps the id by which its database knows it, with its objects, so that it is mounted, copied and restored with them. */
export interface StorePlace {
  /** The setting that names the store. */
  readonly setting: 'DATA_DIR' | 'OBJECTS_URL';
  /** What the store is, in sentences. */
  readonly kind: 'folder' | 'bucket';
  readonly name: string;
  /** Undefined where there is none yet. */
  readonly read: () => Promise<string | undefined>;
  /** Complete or not there, also after a power cut; of several processes that make one, all read the same. */
  readonly make: (id: string) => Promise<void>;
}

export const storeIdName = 'store-id';
