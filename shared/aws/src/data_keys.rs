//! Keys for content that a sandbox encrypts itself. The bucket holds the content; the table holds its key, wrapped by
//! KMS.

use crate::{AwsError, Sealer};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::Scope;

/// A key of 256 bits, in Base64.
#[derive(Clone)]
pub struct DataKey {
    /// For the party that encrypts; stored nowhere.
    pub plain: String,
    /// Wrapped by KMS for the project.
    pub sealed: String,
}

impl Sealer {
    /// A fresh key for one piece of a project's content.
    pub async fn make_key(&self, scope: Scope) -> Result<DataKey, AwsError> {
        let (plain, wrapped) = self.generate(scope).await?;
        Ok(DataKey { plain: STANDARD.encode(plain), sealed: STANDARD.encode(wrapped) })
    }

    /// The plain form of a key that was made for this project.
    pub async fn open_key(&self, scope: Scope, sealed: &str) -> Result<String, AwsError> {
        let wrapped = STANDARD.decode(sealed).map_err(AwsError::of("unsealing"))?;
        Ok(STANDARD.encode(self.unwrapped(scope, &wrapped).await?))
    }
}
