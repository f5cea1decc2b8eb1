export function Workspace({ onSignedOut }: { readonly onSignedOut: (to: string) => void }) {
  return (
    <button type="button" onClick={() => onSignedOut('/login-ex')}>
      x
    </button>
  );
}
