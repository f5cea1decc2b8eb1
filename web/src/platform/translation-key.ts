import type english from '../../../languages/en.json';

type CatalogueKey = keyof typeof english;
type PluralSuffix = 'one' | 'other';

/** Every sentence by its key; counted sentences without their plural suffix. The English catalogue is the list of keys. */
export type TranslationKey = CatalogueKey extends infer K ? (K extends `${infer Base}_${PluralSuffix}` ? Base : K) : never;
