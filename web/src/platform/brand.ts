import { getLogo } from '@pergamin/contract';
import { t } from './language.ts';

/** Product, organisation and logo as an installation may have set them (L3). */
export const brand = (): { readonly name: string; readonly organisation: string; readonly logoUrl: string } => ({
  name: t('brand.product'),
  organisation: t('brand.organisation'),
  logoUrl: getLogo.path,
});
