import { brand } from '#platform/brand.ts';
import css from './Brand.module.css';

export function Brand() {
  const { name, organisation, logoUrl } = brand();
  return (
    <span className={css['brand']}>
      <img src={logoUrl} alt="" width={36} height={36} />
      <span>
        <b>{name}</b>
        <small title={organisation}>{organisation}</small>
      </span>
    </span>
  );
}
