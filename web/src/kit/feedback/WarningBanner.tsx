import { Icon } from '#kit/icons/Icon.tsx';
import css from './StateBanner.module.css';

/** One sentence that belongs to everything below it. */
export const WarningBanner = ({ text }: { readonly text: string }) => (
  <div className={css['banner']} role="status">
    <Icon name="warning-fill" />
    <p>{text}</p>
  </div>
);
