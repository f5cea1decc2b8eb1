import css from './Checksum.module.css';

interface ChecksumProps {
  readonly sha256: string;
  /** How many groups of four stand in a line. */
  readonly groups?: 4 | 8;
}

/** A checksum in groups of four. The gaps are drawn, not written: what is copied, or found, is the checksum itself. */
export function Checksum({ sha256, groups = 4 }: ChecksumProps) {
  return (
    <span className={css['sum']} data-groups={groups}>
      {sha256.match(/.{1,4}/g)?.map((group, index) => (
        // Groups are told apart by their place alone.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index}>{group}</span>
      ))}
    </span>
  );
}
