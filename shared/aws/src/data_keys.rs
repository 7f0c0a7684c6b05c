//! Keys for contents that a sandbox encrypts itself: the bucket holds the content, the table its key as KMS wrapped it.

use crate::{AwsError, Sealer};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::Scope;

/// A key of 256 bits, in Base64.
#[derive(Clone)]
pub struct DataKey {
    /// For the one that encrypts; kept nowhere.
    pub plain: String,
    /// As KMS wrapped it for the project.
    pub sealed: String,
}

impl Sealer {
    /// A fresh key for one content of a project.
    pub async fn make_key(&self, scope: Scope) -> Result<DataKey, AwsError> {
        let (plain, wrapped) = self.generate(scope).await?;
        Ok(DataKey { plain: STANDARD.encode(plain), sealed: STANDARD.encode(wrapped) })
    }

    /// The plain form of a key that was made for this project.
    pub async fn open_key(&self, scope: Scope, sealed: &str) -> Result<String, AwsError> {
        let wrapped = STANDARD.decode(sealed).map_err(AwsError::of("unsealing"))?;
        Ok(STANDARD.encode(self.unwrap(scope, &wrapped).await?))
    }
}
