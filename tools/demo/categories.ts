import type { CategoryRecord } from '@pergamin/contract';
import records from './categories.json' with { type: 'json' };

/** What the bank's clients may send to it, as an organisation would import it. */
export const demoCategories: CategoryRecord[] = records;
