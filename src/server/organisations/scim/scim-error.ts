/** The detail errors of RFC 7644, 3.12, that are used here. */
type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidValue' | 'mutability' | 'uniqueness';

/** A refusal in SCIM's own words; `detail` is for the administrator who reads the directory's log. */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

/** Returns a 400 for a body that does not say what it must. */
export const invalid = (detail: string, scimType: ScimType = 'invalidValue'): ScimError =>
  new ScimError(400, detail, scimType);
