export interface CookieNames {
  readonly session: string;
  /** Both name the step that a browser is at; each is sent to one path only. */
  readonly interaction: string;
  readonly resume: string;
}

/** The session's cookie lives for the whole site; the other two belong to one path each, which `__Host-` does not allow. */
export const cookieNames = ({ https }: { https: boolean }): CookieNames => ({
  session: https ? '__Host-Http-identity' : 'identity',
  interaction: https ? '__Secure-identity-interaction' : 'identity-interaction',
  resume: https ? '__Secure-identity-resume' : 'identity-resume',
});
