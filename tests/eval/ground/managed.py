"""The policies for caching that AWS provides: each with its identifier, and for how long it keeps an object without
`max-age`, in seconds. The provider in a sandbox reads their identifiers, and the cloud keeps objects for their time.
"""

CACHE = {
    "Managed-CachingOptimized": ("658327ea-f89d-4fab-a63d-7e88639e58f6", 86400),
    "Managed-CachingDisabled": ("4135ea2d-6df8-44a3-9df3-4b5a84be39ad", 0),
}
