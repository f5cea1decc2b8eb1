import logo from '../../../design/logo.svg?url';
import css from './Brand.module.css';

export interface BrandProps {
  readonly name: string;
  readonly organisation: string;
  /** The installation's own logo; ours without one. */
  readonly logoUrl?: string | undefined;
}

/** Logo, name of the product, name of the organisation. */
export function Brand({ name, organisation, logoUrl }: BrandProps) {
  return (
    <span className={css['brand']}>
      <img src={logoUrl ?? logo} alt="" width={36} height={36} />
      <span>
        <b>{name}</b>
        <small title={organisation}>{organisation}</small>
      </span>
    </span>
  );
}
